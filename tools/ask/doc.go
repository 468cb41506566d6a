// Package ask lets a model ask the user several questions at once. Each question has options with
// reasons. The user presses the key of an option, or types an answer.
//
// A question never blocks forever. If no user is present or the user does not answer in time, the
// question's default applies, and the tool's result says that there was no answer.
package ask
