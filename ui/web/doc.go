// Package web shows Marvin in a browser: the running and the stored conversations, one conversation
// as it streams, and the open questions.
//
// The server renders all HTML and sends changed parts as events (SSE); the page replaces these
// parts. After a reload or a lost connection, the page receives the whole conversation again, so
// nothing is lost and nothing appears twice. Each action of the user is a POST with JSON. There is
// no build step and no third-party script.
//
// The server listens on loopback. It can also listen on other addresses, but only with TLS and only
// for devices that the user confirmed at the terminal. guard.go decides which requests are allowed,
// and pairing.go admits devices.
//
// html/template was rejected because it calls methods by reflection. The linker would then keep
// every method, which makes every process larger. All external text passes through the function
// escape.
package web
