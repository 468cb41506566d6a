// Package browse searches the web and the news, and reads pages, with and without running their
// scripts.
//
// All requests go through a shared HTTP client that checks each address. A browser connects through
// tools/internal/relay, because redirects that the browser follows by itself could lead to
// forbidden addresses.
package browse
