// Package hooks runs the user's programs and sends the user's web requests when events occur, and
// processes the answers.
//
// docs/hooks.md describes what a hook receives and may answer. Only [decide] interprets an answer,
// from the exit status and the output, so that it can be tested alone. An event before an action is
// called a gate: if a hook refuses or fails, the action does not happen. If a hook fails after an
// action, the failure is only reported.
//
// Hooks belong to the user and run with the user's rights, in the same environment as other child
// processes. So the project must not be able to change the program of a hook. Hooks with sandbox: true
// are an exception: they are confined like a command of the model. Hooks of a project are always
// confined, and run only after the user approved their exact text.
package hooks
