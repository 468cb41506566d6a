// Package browse searches the web and the news, and reads pages. It can use a browser to run a
// page's scripts.
//
// All requests go through a shared HTTP client that checks each address. A browser reaches this
// client through tools/internal/relay, so that the addresses of redirects are also checked.
package browse
