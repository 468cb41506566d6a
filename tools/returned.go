package tools

import "marvin/messages"

// Output is a tool's result: Text for the model, View for the user if different. Offer names tools
// that the model may call from its next request.
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
	// Refused are hosts, as host:port, that the call's command tried to contact without permission.
	Refused []string
	// Held means that a command failed, possibly because of the sandbox. The user, who sees Text,
	// may then be offered to run it again outside.
	Held bool
	// Exit is the exit code of the program that did the tool's work; 0 if it succeeded or there was
	// none. The model reads the code in Text; people see it in the line of the call, and scripts in
	// the exit code.
	Exit int
	// Job is the background job that continues the call; may be "".
	Job string
	// Empty means that the result is not worth keeping in view or in a summary: nothing was found,
	// or nothing happened during a wait. A failure is not empty.
	Empty bool
	// Own means that the text is neither private nor untrusted, whatever origin the tool declares:
	// an empty list, for instance.
	Own bool
	// Strangers means that outsiders wrote the text, whatever origin the tool declares.
	Strangers bool
	// Undo says how to reverse the call, if it changed anything besides files kept by [Env.Undo];
	// nil leaves it to tools/undo.
	Undo *Inverse
}

// Nothing returns the output of a call that found nothing; text says what it searched for.
func Nothing(text string) Output { return Output{Text: text, Empty: true} }
