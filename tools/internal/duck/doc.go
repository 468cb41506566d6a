// Package duck searches the web and the news with DuckDuckGo, which needs no key.
//
// DuckDuckGo has no API for full results. For web searches, this package reads the pages that
// DuckDuckGo offers to browsers without JavaScript: https://html.duckduckgo.com/html/ and
// https://lite.duckduckgo.com/lite/. After too many searches, DuckDuckGo sends a captcha, and the
// search returns [ErrBusy]. The [Engine] then sends no request for a minute, because another
// request would prolong the block.
package duck
