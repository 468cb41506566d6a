package messages

// Notification is a message from outside, such as from an ntfy topic to which the user subscribed.
type Notification struct {
	Topic string
	ID    string // unique in its topic
	Text  string // one line, cleaned: source, text and time
}

// Same reports whether both are the same message.
func (n Notification) Same(other Notification) bool {
	return n.Topic == other.Topic && n.ID == other.ID
}
