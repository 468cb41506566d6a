// Package browse searches the web and the news and reads pages, with and without
// their scripts.
//
// A page is always fetched by the client that all tools share, because a browser that
// follows redirects by itself could be led to addresses that are not allowed. Browsers
// work behind tools/internal/relay.
package browse
