// Package duck searches the web and the news with DuckDuckGo, which needs no key.
//
// DuckDuckGo has no API for full results. This package reads the pages that DuckDuckGo offers to
// browsers without JavaScript: https://html.duckduckgo.com/html/ and a variant that consists only
// of tables. If a program searches too often, DuckDuckGo sends a captcha with status 202 instead of
// results. The error [ErrBusy] reports this. After a captcha, Marvin sends no request for a minute,
// because another request would prolong the block.
package duck
