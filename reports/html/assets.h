/* page.css, page.js and theme.js, as the build embeds them; ended by NUL. */
#ifndef CLTC_REPORTS_HTML_ASSETS_H
#define CLTC_REPORTS_HTML_ASSETS_H

extern const char html_style[];
extern const char html_script[];
extern const char html_theme[];

#endif
