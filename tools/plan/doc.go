// Package plan lets a model show the user a checklist. It also lets the model propose a plan, if
// the user wants one before anything is changed.
//
// The model sends the whole list in each call, because models misremember lists and make mistakes
// when they send only differences. A list of ten steps takes 150 tokens.
package plan
