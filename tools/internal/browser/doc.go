// Package browser runs the scripts of a page in a real headless Chromium and gives
// back what they made of it.
//
// A browser dials by itself, so the address policy of tools/internal/web would not
// hold for it, nor for what its pages fetch. Therefore it reaches nothing but a proxy
// that lives on 127.0.0.1 as long as the call. The proxy answers each request through
// the client that all tools share: policy, table of hosts, pace and the user's own
// proxy are the same as for any other tool.
//
// For https the proxy ends the browser's TLS itself, with a key made for the call that
// only this browser accepts, and the shared client makes a new connection that is
// verified as always. A plain tunnel was decided against: a host in the table may be
// served without TLS, a tunnel carries other things than HTTP to any port, and a second
// way to dial would be a second place to guard. The price is that servers see Go's TLS
// and not Chromium's.
//
// Decided against: a driver. Chromium prints the document itself (--dump-dom), with
// virtual time instead of a guess how long scripts take; a driver is one more program
// to find, to talk to and to stop. Firefox has no such option, so it is not used.
package browser
