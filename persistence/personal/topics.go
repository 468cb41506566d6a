package personal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"marvin/persistence/internal/store"
)

// Topics manages the ntfy subscriptions of a profile.
type Topics struct{ profile store.Profile }

// TopicsOf returns the topics of a profile.
func TopicsOf(p store.Profile) Topics { return Topics{p} }

// Subscription is one topic of ntfy_subscriptions.json. The file is a JSON object keyed by topic,
// the format of Marvin's Python version. The array format of the TypeScript version is also
// readable.
type Subscription struct {
	Topic         string   `json:"topic"`
	Label         string   `json:"label"`
	URL           string   `json:"url"`
	Generated     bool     `json:"generated"`     // Marvin made up the topic, so no one else knows it
	SubscribedAt  string   `json:"subscribedAt"`  // RFC 3339
	LastChecked   string   `json:"lastChecked"`   // RFC 3339
	LastMessageID string   `json:"lastMessageId"` // the last message that was shown
	Sent          []string `json:"sentIds"`       // ids of the last messages that Marvin published
}

var (
	// ErrSubscribed reports that the topic already has a subscription.
	ErrSubscribed = errors.New("already subscribed")
	// ErrNotSubscribed reports that the topic has no subscription.
	ErrNotSubscribed = errors.New("not subscribed")
)

// sentIDs is the maximum length of [Subscription.Sent]. The server keeps messages for only 12
// hours.
const sentIDs = 20

type topicEntry struct {
	topic string
	value json.RawMessage
}

func (t Topics) path() string { return t.profile.Path("ntfy_subscriptions.json") }

// All returns the topics in file order.
func (t Topics) All() ([]Subscription, error) {
	data, err := store.ReadWhole(t.path(), store.DocumentLimit)
	if err != nil {
		return nil, err
	}
	entries, err := decodeTopics(data)
	if err != nil {
		return nil, &store.DamagedError{Path: t.path(), Err: err}
	}
	var all []Subscription
	for _, entry := range entries {
		var subscription Subscription
		if wrong := json.Unmarshal(entry.value, &subscription); wrong != nil {
			err = fmt.Errorf("%s: the topic %q is ignored: %w", t.path(), entry.topic, wrong)
			continue
		}
		subscription.Topic = entry.topic
		all = append(all, subscription)
	}
	return all, err
}

// Subscribe adds a topic and returns the number of topics. added.URL must be a complete URL. If the
// topic already has a subscription, the error is [ErrSubscribed].
func (t Topics) Subscribe(added Subscription) (total int, err error) {
	err = t.change(func(entries []topicEntry) ([]topicEntry, error) {
		if topicAt(entries, added.Topic) >= 0 {
			return nil, ErrSubscribed
		}
		// Marvin's Python version expects both keys, even if they are empty.
		encoded, err := store.EncodeValue(struct {
			Label string `json:"label"`
			URL   string `json:"url"`
		}{added.Label, added.URL})
		if err != nil {
			return nil, err
		}
		value := json.RawMessage(encoded)
		set := setter(&value)
		if added.Generated {
			_ = set("generated", true) // the next call returns this error
		}
		err = set("subscribedAt", t.profile.Home.Now().UTC().Format("2006-01-02T15:04:05Z07:00"))
		total = len(entries) + 1
		return append(entries, topicEntry{added.Topic, value}), err
	})
	return total, err
}

// Unsubscribe removes a topic and returns how many topics are left.
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

// NoteShown stores the id of the last message that was shown. It does nothing if the topic has no
// subscription.
func (t Topics) NoteShown(topic, message string) error {
	return t.note(topic, func(value *json.RawMessage, _ Subscription) error {
		set := setter(value)
		_ = set("lastMessageId", message) // the next call returns this error
		return set("lastChecked", t.profile.Home.Now().UTC().Format("2006-01-02T15:04:05Z07:00"))
	})
}

// NoteSent stores the id of a message that was published from this profile. Messages with stored
// ids are not shown.
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
	return t.profile.Home.Rewrite(t.path(), func(data []byte) (changed []byte, unreadable, err error) {
		entries, unreadable := decodeTopics(data)
		if entries, err = change(entries); err == nil {
			changed, err = encodeTopics(entries)
		}
		if err == nil && unreadable == nil {
			t.profile.Note("topics", data, changed)
		}
		return changed, unreadable, err
	})
}

func topicAt(entries []topicEntry, topic string) int {
	return slices.IndexFunc(entries, func(entry topicEntry) bool { return entry.topic == topic })
}

// setter returns a function that sets keys of an object and keeps the first error.
func setter(object *json.RawMessage) func(key string, value any) error {
	var failed error
	return func(key string, value any) error {
		if failed == nil {
			var changed json.RawMessage
			if changed, failed = store.WithKey(*object, key, value); failed == nil {
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
		return nil, errors.New("it is not a JSON object with topics as keys")
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
	values, err := store.DecodeList(data)
	if err != nil {
		return nil, err
	}
	var entries []topicEntry
	for _, value := range values {
		var named struct{ Topic string }
		if err := json.Unmarshal(value, &named); err != nil || named.Topic == "" {
			return nil, fmt.Errorf("an entry has no topic: %s", value)
		}
		if value, err = store.WithKey(value, "topic", ""); err != nil {
			return nil, err
		}
		entries = append(entries, topicEntry{named.Topic, value})
	}
	return entries, nil
}

func encodeTopics(entries []topicEntry) ([]byte, error) {
	object := []byte{'{'}
	for i, entry := range entries {
		key, err := store.EncodeValue(entry.topic)
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
