// Package web is Marvin in a browser: the conversations that run, those that are kept, one of
// them as it streams, and the questions that wait.
//
// The server renders all HTML and sends the parts that changed as events (SSE); the page
// replaces them. A page that loads again, or that lost its connection, gets the whole
// conversation again: so nothing is lost, and nothing comes twice. Each action of the user is a
// POST with JSON. There is no build step, and no script of others.
//
// The page listens on loopback, and beyond that only by TLS for devices that the user confirmed
// at the terminal. guard.go decides who gets anything, pairing.go lets devices in.
//
// Decided against html/template: it uses reflection over methods, so the linker keeps
// everything, at a cost for every process. Every text of others goes through shown.
package web
