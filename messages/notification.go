package messages

// Notification is a message from outside, such as from an ntfy topic to which the user subscribed.
type Notification struct {
	Topic string
	ID    string // no other message of the topic has this id
	Text  string // the source, the text and the time, cleaned and in one line
}

// Same reports whether two notifications are the same message.
func (n Notification) Same(other Notification) bool {
	return n.Topic == other.Topic && n.ID == other.ID
}
