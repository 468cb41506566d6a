// Package plan lets a model show the user a checklist. If the user wants a plan before any change,
// it also lets the model propose one.
//
// The model sends the whole list in each call. Models make mistakes when they send only changes,
// because they remember the list wrong; a whole list of ten steps takes 150 tokens.
package plan
