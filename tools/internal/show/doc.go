// Package show turns responses from services into lists for models and users.
//
// Text from outside goes through [Line] or [Text] before it is shown, because it may be long, break
// out of its line, or contain characters that hide the text after them.
package show
