// Package memory provides the tools that remember, recall and forget facts, and search stored
// conversations.
//
// The model cannot store or delete a fact without the user's knowledge. A fact that the user typed
// in this turn's prompt is stored at once. Before storing any other fact, Marvin shows the user the
// exact words and asks for consent. If the user does not answer, Marvin keeps the fact as a
// proposal. With the setting "memory: auto", Marvin asks only after untrusted text has entered the
// conversation.
package memory
