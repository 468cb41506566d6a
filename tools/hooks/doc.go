// Package hooks runs the user's programs and requests on events, and processes their answers.
//
// docs/hooks.md describes what a hook receives and may answer. Only [decide] interprets an answer,
// from the exit status and the output, so that it can be tested alone. An event before an action is
// a gate: anything but a clear yes closes it. An event after an action is open: a failed hook is
// reported, and the action stays.
//
// Hooks belong to the user and run with the user's rights, in the environment of other children. So
// their programs must not be where the project can write; with sandbox: true they may, and are
// confined like a model's command. Hooks of a project are always confined, and run only after the
// user approved their exact text.
package hooks
