/* What needs the script: search, steps through what is missed, keys, theme. Hidden until it runs. */
#include "reports/html/page.h"

void page_tools(const page *p) {
  (void)fputs(
      "<div id=tools hidden>\n"
      "<div id=find role=search><input id=search type=search aria-label=\"Search kernels, files and lines\" "
      "aria-controls=found placeholder=\"Search ( / )\" autocomplete=off spellcheck=false>"
      "<output id=hits class=said></output><ul id=found aria-label=\"Found\" hidden></ul></div>\n"
      "<span role=group aria-label=\"Lines that miss something\"><button type=button id=previous title=\"Previous line "
      "that misses something (k)\">\xe2\x86\x91 <span class=wide>Previous</span></button> <button type=button id=next "
      "title=\"Next line that misses something (j)\">\xe2\x86\x93 <span class=wide>Next</span> missed</button></span>\n"
      "<label><input type=checkbox id=keys checked> keys j k /</label>\n"
      "<label>Theme <select id=theme><option value=auto>auto<option value=light>light<option "
      "value=dark>dark</select></label>\n</div>\n",
      p->out);
}
