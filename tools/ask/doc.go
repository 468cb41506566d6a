// Package ask lets a model ask the user several questions at once. Each question has options with
// reasons. The user presses the key of an option, or types an answer.
//
// A question never blocks forever: if no user is present or the user does not answer in time, its
// default applies, and the model is told so.
package ask
