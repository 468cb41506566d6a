package tools

import "marvin/messages"

// Output is a tool's result. Text is for the model, and View is for the user if the user should see
// something else. Offer lists the tools that the model may call from its next request on.
type Output struct {
	Text string
	View *messages.View
	// Summary, if set, describes the result to the user in one line. The default is a line of Text.
	Summary string
	Offer   []string
	// Pictures are sent to models that accept images.
	Pictures []messages.Picture
	Alarm    string // a warning that the user sees at once
	// Refused lists each host ("host:port") that Marvin did not let the call's command contact.
	Refused []string
	// Held is true if the sandbox may have made a command fail. Marvin can then ask the user
	// whether to run the command again outside the sandbox.
	Held bool
	// Exit is the exit code of the program that did the tool's work, or 0 if there was no program.
	// The user interface shows the exit code, and the model reads it in the field Text. If Exit is
	// not 0, "marvin tool" fails.
	Exit int
	// Job is the ID of the background job that continues the call, or "".
	Job string
	// Empty means that a successful call found nothing, or waited and nothing happened. Such a
	// result need not stay visible or appear in a summary.
	Empty bool
	// Own is true if Text contains nothing private or untrusted, whatever origin the tool declares.
	Own bool
	// Strangers is true if outsiders wrote Text, even if the tool declares another origin.
	Strangers bool
	// Undo describes how to reverse the call, but not changes to files, because [Env.Undo] saves these
	// changes. If Undo is nil, the package tools/undo decides whether the call can be undone.
	Undo *Inverse
}

// NoResults returns the Output of a call that found nothing.
func NoResults(text string) Output { return Output{Text: text, Empty: true} }
