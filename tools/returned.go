package tools

import "marvin/messages"

// Output is a tool's result: Text for the model, View for the user if different. Offer contains the
// names of tools that the model may call from its next request on.
type Output struct {
	Text string
	View *messages.View
	// Summary describes the result in one line for people, if the first line of Text says too
	// little.
	Summary string
	Offer   []string
	// Pictures are sent to models that accept images.
	Pictures []messages.Picture
	Alarm    string // a warning that the user sees at once
	// Refused contains the hosts, as host:port, that the call's command tried to contact without
	// permission.
	Refused []string
	// Held is true if a command failed, possibly because of the sandbox. The user, who sees Text,
	// may then be asked whether to run the command again outside the sandbox.
	Held bool
	// Exit is the exit code of the program that did the tool's work. It is 0 if the program
	// succeeded, or if there was no program. Text tells the model the exit code, and the line of
	// the call shows it to people. If Exit is not 0, `marvin tool` fails.
	Exit int
	// Job is the background job that continues the call; may be "".
	Job string
	// Empty means that the result is not worth keeping in view or in a summary, because nothing was
	// found, or nothing happened during a wait. The result of a failed call is not Empty.
	Empty bool
	// Own is true if this text is neither private nor untrusted, whatever origin the tool declares:
	// for example, "The list is empty."
	Own bool
	// Strangers is true if outsiders wrote this text, whatever origin the tool declares.
	Strangers bool
	// Undo says how to reverse the call, if it changed anything besides files kept by [Env.Undo];
	// nil leaves it to tools/undo.
	Undo *Inverse
}

// NoResults returns the output of a call without results. Its argument says what the call searched
// for.
func NoResults(text string) Output { return Output{Text: text, Empty: true} }
