// Package relay gives other programs access to the web, under the rules of Marvin's tools.
//
// A browser or a downloader makes its own connections, to which the address policy of
// tools/internal/web would not apply. Therefore such a program gets a proxy on 127.0.0.1 that lives
// as long as the call. The proxy sends each request through the client that all tools share. So the
// policy, the table of hosts, the pace and the user's own proxy apply as for any other tool.
//
// For https the relay itself decrypts the program's TLS, with a key made for the call. The shared
// client makes a new connection and verifies the server as usual. A plain tunnel was rejected for
// three reasons: the table of hosts may name a server without TLS, a tunnel carries any protocol to
// any port, and a second way to connect would also need protection. The disadvantage is that
// servers see Go's TLS and not the program's.
package relay
