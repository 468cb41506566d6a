// Package hooks runs hooks when events occur, and processes the hooks' answers. A hook is a program
// or a web request.
//
// docs/hooks.md describes what a hook receives and can answer. Only [decide] interprets answers.
// [decide] needs just a hook's exit status and output, so [decide] can be tested alone. A gate is
// an event that precedes an action. If a hook at a gate refuses or fails, the action does not
// happen. If a hook fails after an action, the failure is only reported.
//
// The user's hooks run with the user's rights, in the same environment as other child processes. So
// the project must not be able to change the programs of these hooks. A hook with "sandbox: true"
// is confined like a command from the model. A project's hooks are always confined, and run only
// after the user has approved their exact text.
package hooks
