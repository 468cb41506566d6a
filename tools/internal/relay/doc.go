// Package relay gives other programs access to the web, under the rules of Marvin's tools.
//
// A browser or a downloader makes its own connections, so the address policy of tools/internal/web
// would not apply. Therefore such a program gets a proxy on 127.0.0.1 until the call ends. The
// proxy sends each request through the HTTP client shared by all tools. This client applies the
// address policy, the hosts table, the pauses and the user's proxy settings.
//
// The relay decrypts the program's TLS, with a new key for each call. The shared client makes a new
// connection and verifies the server. A plain tunnel was rejected for three reasons: the hosts
// table can name a server without TLS, a tunnel carries any protocol to any port, and a second way
// to connect would have to be secured separately. The disadvantage of the relay is that servers see
// Go's TLS instead of the program's.
package relay
