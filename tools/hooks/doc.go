// Package hooks runs the user's programs and sends the user's web requests when events occur, and
// processes the answers.
//
// docs/hooks.md describes what a hook receives and may answer. Only [decide] interprets answers. It
// needs just the exit status and the output, so it can be tested alone. An event before an action
// is called a gate. If a hook at a gate refuses or fails, the action does not happen. If a hook
// fails after an action, the failure is only reported.
//
// Hooks belong to the user. They run with the user's rights, in the same environment as other child
// processes, so the project must not be able to change their programs. A hook with "sandbox: true"
// is confined like a command from the model. A project's hooks are always confined, and run only
// after the user has approved their exact text.
package hooks
