package tools

import "marvin/messages"

// Output is a tool's result: Text for the model, View for the user if different. Offer names tools
// that the model may call from its next request.
type Output struct {
	Text string
	View *messages.View
	// Summary is the result in a line for people, where the first line of Text says little.
	Summary string
	Offer   []string
	// Pictures are shown to models that see.
	Pictures []messages.Picture
	Alarm    string // for the person, at once and loud
	// Refused are hosts, as host:port, to which the command of the call wanted to speak and may not.
	Refused []string
	// Held says that a command failed, and that the sandbox may be why. Running it once more
	// outside may then be offered to a person, who sees Text.
	Held bool
	// Exit is the exit code of a program that reports a failure of its own, where the tool did
	// its work by running it; 0 where none does. A model reads that in Text; people see it in
	// the line of the call, and a script in an exit code.
	Exit int
	// Job is the background job that continues the call; may be "".
	Job string
	// Empty says that the call brought nothing that is worth keeping in view or in a summary:
	// nothing was found, or nothing had happened yet when the wait was over. A failure is not.
	Empty bool
	// Own says that nothing in the text is private or from strangers, whatever the tool brings
	// otherwise: an empty list, for instance.
	Own bool
	// Strangers says that strangers wrote the text, whatever the tool brings otherwise.
	Strangers bool
	// Undo says how to reverse the call, if it changed anything besides files kept by [Env.Undo];
	// nil leaves it to tools/undo.
	Undo *Inverse
}

// Nothing is the output of a call that found nothing; text says what it looked for.
func Nothing(text string) Output { return Output{Text: text, Empty: true} }
