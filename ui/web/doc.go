// Package web shows Marvin in a browser: the running and the stored conversations, one conversation
// as it streams, and the open questions.
//
// The server renders all HTML and sends changed parts as server-sent events. The page replaces
// these parts. After a reload or a lost connection, the page receives the whole conversation again,
// so nothing is lost and nothing appears twice. Each user action is a POST with JSON. There is no
// build step and no third-party script.
//
// The server listens on loopback. It can also listen on other addresses, but only with TLS and only
// for devices that the user confirmed at the terminal. guard.go decides which requests are allowed,
// and pairing.go admits devices.
//
// The package does not use html/template, which calls methods by reflection. The linker would then
// keep every exported method, and every process would be larger. Instead, all external text passes
// through escape.
package web
