// Package hooks tells programs and addresses of the user's what happens, and takes what they
// say to it.
//
// What a hook is sent and what it may answer is in docs/hooks.md. What comes of an answer is
// decided by [decide] alone, from how a program ended and what it said, so that it can be
// tried without any. An event that comes before something, a gate, is closed by everything
// that is no clear yes; one that comes after is open: a hook that fails is reported, and
// what happened stays.
//
// Hooks are the user's own and run with the user's rights, in the environment that other
// children get. So their programs may not lie where the project can write; with sandbox: true
// they may, and are held as a command of a model is. Those that a project brings are always
// held, and only run once their exact words were approved.
package hooks
