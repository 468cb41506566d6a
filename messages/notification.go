package messages

// Notification is a message from outside, such as from an ntfy topic, that a person
// subscribed to.
type Notification struct {
	Topic string
	ID    string // unique in its topic
	Text  string // one line, cleaned: where it is from, what it says, when
}

// Same says whether it is the same message.
func (n Notification) Same(other Notification) bool {
	return n.Topic == other.Topic && n.ID == other.ID
}
