// The evidence of a group goes by the id that it stands for.

#undef CLTC_GROUP
#define CLTC_GROUP \
  (((ulong)cltc_get_group_id(cltc, 2) * get_num_groups(1) + cltc_get_group_id(cltc, 1)) * get_num_groups(0) + \
   cltc_get_group_id(cltc, 0))
