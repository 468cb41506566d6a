// Package duck searches the web and the news with DuckDuckGo, which wants no key.
//
// There is no API for full results; what is read here are the pages for browsers
// without JavaScript, as https://html.duckduckgo.com/html/ and its table-only sister.
// DuckDuckGo tells programs that ask too often by a puzzle instead of results, with
// status 202. That is not "no results": it is [ErrBusy], and for a minute nothing is
// asked, because asking again prolongs it.
package duck
