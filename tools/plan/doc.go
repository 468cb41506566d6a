// Package plan lets a model show the user a checklist. It also lets the model propose a plan, if
// the user wants a plan before any change.
//
// The model sends the whole list in each call. If models send only the changes, they make mistakes,
// because they misremember the list. A whole list of ten steps takes 150 tokens.
package plan
