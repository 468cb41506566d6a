// Package relay lets other programs load from the web under the rules of Marvin's tools.
//
// A browser or a downloader dials by itself, so the address policy of
// tools/internal/web would not hold for it, nor for where its pages and redirects lead.
// Therefore it gets a proxy that lives on 127.0.0.1 as long as the call. The proxy
// answers each request through the client that all tools share: policy, table of hosts,
// pace and the user's own proxy are the same as for any other tool.
//
// For https the relay ends the program's TLS itself, with a key made for the call, and
// the shared client makes a new connection that is verified as always. A plain tunnel
// was decided against: a host in the table may be served without TLS, a tunnel carries
// other things than HTTP to any port, and a second way to dial would be a second place
// to guard. The price is that servers see Go's TLS and not the program's.
package relay
