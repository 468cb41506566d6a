// Package duck searches the web and the news with DuckDuckGo, which needs no key.
//
// DuckDuckGo has no API for full results. This package reads the pages that DuckDuckGo offers to
// browsers without JavaScript: https://html.duckduckgo.com/html/ and a variant that consists only
// of tables. To programs that search too often, DuckDuckGo sends a puzzle with status 202 instead
// of results. Then the error is [ErrBusy], which is not the same as no results. After a puzzle, no
// request is sent for a minute, because it would prolong the block.
package duck
