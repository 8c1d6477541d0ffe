/* page.css and page.js, as the build embeds them; ended by NUL. */
#ifndef CLTC_REPORTS_HTML_ASSETS_H
#define CLTC_REPORTS_HTML_ASSETS_H

extern const char html_style[];
extern const char html_script[];

#endif
