// Package duck searches the web and the news with DuckDuckGo, which needs no key.
//
// DuckDuckGo has no API for full results. This package reads the pages that DuckDuckGo offers to
// browsers without JavaScript: https://html.duckduckgo.com/html/ and
// https://lite.duckduckgo.com/lite/. If a program searches too often, DuckDuckGo sends a captcha
// with status 202 instead of results, and the package returns [ErrBusy]. It then sends no request
// for a minute, because another request would prolong the block.
package duck
