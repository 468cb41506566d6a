// Package relay gives other programs access to the web, under the rules of Marvin's tools.
//
// A browser or a downloader opens its own connections, to which the address policy of
// tools/internal/web would not apply. For such a program, the relay is a proxy on 127.0.0.1. It
// sends each request through the HTTP client shared by all tools, which applies the address policy,
// the hosts table, the pauses between requests and the user's proxy settings.
//
// The relay decrypts the program's TLS. Each relay has a new key. The shared client opens a new
// connection and verifies the server. There are three reasons not to pass the TLS through
// unchanged: the hosts table can name a server without TLS, a tunnel carries any protocol to any
// port, and a second way to connect would have to be secured separately. The disadvantage is that
// servers see Go's TLS instead of the program's.
package relay
