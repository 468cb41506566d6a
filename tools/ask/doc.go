// Package ask lets a model ask its user several questions at once, each with options and reasons,
// answered by a key or in the user's words.
//
// A question never blocks forever. Its default applies when the user does not answer in time, and
// without a user; the model is informed.
package ask
