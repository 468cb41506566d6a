// Package memory has the tools that remember, recall and forget facts, and search stored
// conversations.
//
// The model cannot store or delete a fact without the user's knowledge. A fact that the user typed
// in the prompt of this turn is stored at once. For any other fact, Marvin asks the user and shows
// the exact words. If the user does not answer, Marvin keeps the fact as a proposal. If the user
// sets "memory: auto", all facts are stored at once, unless the conversation contains untrusted
// text.
package memory
