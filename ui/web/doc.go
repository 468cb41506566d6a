// Package web shows Marvin in a browser: the running and stored conversations, a live view of one
// conversation, and Marvin's questions to the user.
//
// The server renders all HTML and sends changed parts as server-sent events. After a reload or a
// lost connection, the page receives the whole conversation again, so nothing is lost or shown
// twice. Each user action is a POST request with JSON. There is no build step and no third-party
// script.
//
// The server listens on loopback. It can also listen on other addresses, but only with TLS and only
// for devices that the user confirmed at the terminal. guard.go decides which requests are allowed,
// and pairing.go admits devices.
//
// The package does not use html/template, because reflection in html/template would make the linker
// keep every exported method. Instead, escape() converts all external text.
package web
