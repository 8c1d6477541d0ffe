// Tests made with GoogleTest, plain, typed and with parameters; with $NAMES a listener tells cltestcheck which one
// runs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "cltestcheck.h"

// A process that a test starts belongs to it if it finds the name in its environment.
static int run(const char *mode) { return system((std::string("exec \"$HOST\" ") + mode).c_str()); }

TEST(Plain, Once) { EXPECT_EQ(run("once"), 0); }
TEST(Plain, Nothing) { EXPECT_EQ(1, 1); }
TEST(Plain, DISABLED_Never) { EXPECT_EQ(1, 2); }

class P : public testing::TestWithParam<const char *> {};
TEST_P(P, Mode) { EXPECT_EQ(run(GetParam()), 0); }
INSTANTIATE_TEST_SUITE_P(Inst, P, testing::Values("once"));

template <typename T>
class Typed : public testing::Test {};
TYPED_TEST_SUITE_P(Typed);
TYPED_TEST_P(Typed, Size) { EXPECT_GT(sizeof(TypeParam), 0u); }
REGISTER_TYPED_TEST_SUITE_P(Typed, Size);
typedef testing::Types<int, float> Two;
INSTANTIATE_TYPED_TEST_SUITE_P(My, Typed, Two);

class Names : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo &test) override {
    const std::string name = std::string(test.test_suite_name()) + "." + test.name();
    const std::string command = "./tests --gtest_filter=" + name;
    cltestcheck_begin_with(name.c_str(), command.c_str());
    setenv("CLTESTCHECK_TEST_CASE", name.c_str(), 1);
    setenv("CLTESTCHECK_TEST_COMMAND", command.c_str(), 1);
  }
  void OnTestEnd(const testing::TestInfo &test) override {
    unsetenv("CLTESTCHECK_TEST_CASE");
    cltestcheck_end(test.result()->Failed() ? 1 : 0);
  }
};

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (getenv("NAMES"))
    testing::UnitTest::GetInstance()->listeners().Append(new Names);
  return RUN_ALL_TESTS();
}
