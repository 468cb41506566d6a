// Package disclosure lists which text of a conversation went to which provider.
package disclosure
