package persistence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Subscription is one topic of ntfy_subscriptions.json, an object with the topics as
// keys as the Python Marvin has it. The TypeScript one's array is read as well.
type Subscription struct {
	Topic         string   `json:"topic"`
	Label         string   `json:"label"`
	URL           string   `json:"url"`
	Generated     bool     `json:"generated"`     // made by Marvin: nobody else knows it
	SubscribedAt  string   `json:"subscribedAt"`  // RFC 3339
	LastChecked   string   `json:"lastChecked"`   // RFC 3339
	LastMessageID string   `json:"lastMessageId"` // the last one that was shown
	Sent          []string `json:"sentIds"`       // published from here, not to be shown
}

var (
	// ErrSubscribed means that the topic is subscribed to already.
	ErrSubscribed = errors.New("already subscribed")
	// ErrNotSubscribed means that the topic is not one of the subscriptions.
	ErrNotSubscribed = errors.New("not subscribed")
)

// sentIDs is how many ids of published messages are remembered for a topic: the
// server keeps messages for 12 hours.
const sentIDs = 20

type topicEntry struct {
	topic string
	value json.RawMessage
}

func (t Topics) path() string { return t.profile.path("ntfy_subscriptions.json") }

// All reads the topics in the order of the file.
func (t Topics) All() ([]Subscription, error) {
	data, err := readWhole(t.path(), documentLimit)
	if err != nil {
		return nil, err
	}
	entries, err := decodeTopics(data)
	if err != nil {
		return nil, &DamagedError{Path: t.path(), Err: err}
	}
	var all []Subscription
	for _, entry := range entries {
		var subscription Subscription
		if wrong := json.Unmarshal(entry.value, &subscription); wrong != nil {
			err = fmt.Errorf("%s: the topic %q is left out: %w", t.path(), entry.topic, wrong)
			continue
		}
		subscription.Topic = entry.topic
		all = append(all, subscription)
	}
	return all, err
}

// Subscribe adds a topic, whose URL it is given, and returns how many there are. The
// error of one that is there already is [ErrSubscribed].
func (t Topics) Subscribe(added Subscription) (total int, err error) {
	err = t.change(func(entries []topicEntry) ([]topicEntry, error) {
		if topicAt(entries, added.Topic) >= 0 {
			return nil, ErrSubscribed
		}
		// The Python Marvin expects both keys, also with nothing in them.
		encoded, err := encodeValue(struct {
			Label string `json:"label"`
			URL   string `json:"url"`
		}{added.Label, added.URL})
		if err != nil {
			return nil, err
		}
		value := json.RawMessage(encoded)
		set := setter(&value)
		if added.Generated {
			_ = set("generated", true) // the next one says so
		}
		err = set("subscribedAt", t.profile.home.Now().UTC().Format("2006-01-02T15:04:05Z07:00"))
		total = len(entries) + 1
		return append(entries, topicEntry{added.Topic, value}), err
	})
	return total, err
}

// Unsubscribe takes a topic away and returns how many are left.
func (t Topics) Unsubscribe(topic string) (left int, err error) {
	err = t.change(func(entries []topicEntry) ([]topicEntry, error) {
		at := topicAt(entries, topic)
		if at < 0 {
			return nil, ErrNotSubscribed
		}
		left = len(entries) - 1
		return slices.Delete(entries, at, at+1), nil
	})
	return left, err
}

// NoteShown remembers the last message of a topic that was shown. A topic that is
// not subscribed to has nothing to remember.
func (t Topics) NoteShown(topic, message string) error {
	return t.note(topic, func(value *json.RawMessage, _ Subscription) error {
		set := setter(value)
		_ = set("lastMessageId", message) // the next one says so
		return set("lastChecked", t.profile.home.Now().UTC().Format("2006-01-02T15:04:05Z07:00"))
	})
}

// NoteSent remembers a message that was published from here.
func (t Topics) NoteSent(topic, message string) error {
	return t.note(topic, func(value *json.RawMessage, known Subscription) error {
		sent := append(known.Sent, message)
		return setter(value)("sentIds", sent[max(0, len(sent)-sentIDs):])
	})
}

func (t Topics) note(topic string, note func(*json.RawMessage, Subscription) error) error {
	err := t.change(func(entries []topicEntry) ([]topicEntry, error) {
		at := topicAt(entries, topic)
		if at < 0 {
			return nil, ErrNotSubscribed
		}
		var known Subscription
		if err := json.Unmarshal(entries[at].value, &known); err != nil {
			return nil, err
		}
		return entries, note(&entries[at].value, known)
	})
	if errors.Is(err, ErrNotSubscribed) {
		return nil
	}
	return err
}

func (t Topics) change(change func([]topicEntry) ([]topicEntry, error)) error {
	return t.profile.home.rewrite(t.path(), func(data []byte) (changed []byte, unreadable, err error) {
		entries, unreadable := decodeTopics(data)
		if entries, err = change(entries); err == nil {
			changed, err = encodeTopics(entries)
		}
		if err == nil && unreadable == nil {
			t.profile.noted.note(t.profile.Name, "topics", data, changed)
		}
		return changed, unreadable, err
	})
}

func topicAt(entries []topicEntry, topic string) int {
	return slices.IndexFunc(entries, func(entry topicEntry) bool { return entry.topic == topic })
}

// setter changes keys of an object one after the other, and keeps the first error.
func setter(object *json.RawMessage) func(key string, value any) error {
	var failed error
	return func(key string, value any) error {
		if failed == nil {
			var changed json.RawMessage
			if changed, failed = withKey(*object, key, value); failed == nil {
				*object = changed
			}
		}
		return failed
	}
}

// decodeTopics reads either form: {"topic": {…}} or [{"topic": "…"}].
func decodeTopics(data []byte) ([]topicEntry, error) {
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) == 0 {
		return nil, nil
	}
	if trimmed[0] == '[' {
		return decodeTopicList(trimmed)
	}
	if !json.Valid(trimmed) || trimmed[0] != '{' {
		return nil, errors.New("it is not a JSON object with the topics as its keys")
	}
	decoder := json.NewDecoder(bytes.NewReader(trimmed)) // a map would lose the order
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var entries []topicEntry
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		entry := topicEntry{topic: fmt.Sprint(key)}
		if err := decoder.Decode(&entry.value); err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

func decodeTopicList(data []byte) ([]topicEntry, error) {
	values, err := decodeList(data)
	if err != nil {
		return nil, err
	}
	var entries []topicEntry
	for _, value := range values {
		var named struct{ Topic string }
		if err := json.Unmarshal(value, &named); err != nil || named.Topic == "" {
			return nil, fmt.Errorf("an entry names no topic: %s", value)
		}
		if value, err = withKey(value, "topic", ""); err != nil {
			return nil, err
		}
		entries = append(entries, topicEntry{named.Topic, value})
	}
	return entries, nil
}

func encodeTopics(entries []topicEntry) ([]byte, error) {
	object := []byte{'{'}
	for i, entry := range entries {
		key, err := encodeValue(entry.topic)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(append(object, key...), ':'), entry.value...)
	}
	var indented bytes.Buffer
	err := json.Indent(&indented, append(object, '}'), "", "  ")
	return indented.Bytes(), err
}
