package messages

// Notification is a message from an outside source, such as an ntfy topic to which the user
// subscribed.
type Notification struct {
	Topic string
	ID    string // unique within the topic
	Text  string // one printable line with the message's source, text and time
}

// Same reports whether two notifications are the same message.
func (n Notification) Same(other Notification) bool {
	return n.Topic == other.Topic && n.ID == other.ID
}
