package personal

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// This is the Python Marvin's object, with an unknown key.
const pythonTopics = `{
  "zebra-word-word-word-word": {
    "label": "reminders",
    "url": "https://ntfy.sh/zebra-word-word-word-word",
    "colour": "blå"
  },
  "alpha": {
    "label": "",
    "url": "https://ntfy.sh/alpha"
  }
}`

func TestSubscriptionsOfThePythonMarvinKeepOrderAndUnknownKeys(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("main")
	path := profile.Path("ntfy_subscriptions.json")
	storetest.Put(t, path, pythonTopics)
	all, err := TopicsOf(profile).All()
	storetest.Must(t, err)
	if len(all) != 2 || all[0].Topic != "zebra-word-word-word-word" || all[0].Label != "reminders" || all[1].Topic != "alpha" {
		t.Fatalf("got %+v", all)
	}
	total, err := TopicsOf(profile).Subscribe(Subscription{Topic: "b", Label: "Büro", URL: "https://ntfy.sh/b", Generated: true})
	storetest.Must(t, err)
	storetest.Must(t, TopicsOf(profile).NoteShown("alpha", "hwQ2YpKdmg"))
	storetest.Must(t, TopicsOf(profile).NoteShown("stranger", "x"))
	want := strings.TrimSuffix(pythonTopics, "\"\n  }\n}") + `",
    "lastMessageId": "hwQ2YpKdmg",
    "lastChecked": "2026-02-14T12:30:15Z"
  },
  "b": {
    "label": "Büro",
    "url": "https://ntfy.sh/b",
    "generated": true,
    "subscribedAt": "2026-02-14T12:30:15Z"
  }
}`
	if got := storetest.Get(t, path); total != 3 || got != want {
		t.Errorf("%d, got %s", total, got)
	}
	if _, err := TopicsOf(profile).Subscribe(Subscription{Topic: "b"}); !errors.Is(err, ErrSubscribed) {
		t.Errorf("twice: %v", err)
	}
	left, err := TopicsOf(profile).Unsubscribe("alpha")
	if err != nil || left != 2 || strings.Contains(storetest.Get(t, path), "alpha") {
		t.Errorf("%d, %v", left, err)
	}
	if _, err := TopicsOf(profile).Unsubscribe("alpha"); !errors.Is(err, ErrNotSubscribed) {
		t.Errorf("twice: %v", err)
	}
}

func TestSubscriptionsAsAListBecomeTheObjectThatExistsInTheWild(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("main")
	path := profile.Path("ntfy_subscriptions.json")
	storetest.Put(t, path, `[{"topic": "a", "label": "A", "subscribedAt": "2026-01-01T00:00:00Z"}, {"topic": "b", "lastMessageId": "m1"}]`)
	all, err := TopicsOf(profile).All()
	if err != nil || len(all) != 2 || all[0].Label != "A" || all[1].LastMessageID != "m1" {
		t.Fatalf("got %+v, %v", all, err)
	}
	storetest.Must(t, TopicsOf(profile).NoteShown("a", "m2"))
	var object map[string]map[string]any
	storetest.Must(t, json.Unmarshal([]byte(storetest.Get(t, path)), &object))
	if object["a"]["lastMessageId"] != "m2" || object["a"]["label"] != "A" || object["b"]["lastMessageId"] != "m1" || object["b"]["topic"] != nil {
		t.Errorf("got %v", object)
	}
}

func TestSentMessagesAreRememberedUpToALimit(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("main")
	_, err := TopicsOf(profile).Subscribe(Subscription{Topic: "a"})
	storetest.Must(t, err)
	for range sentIDs {
		storetest.Must(t, TopicsOf(profile).NoteSent("a", "old"))
	}
	storetest.Must(t, TopicsOf(profile).NoteSent("a", "new"))
	all, err := TopicsOf(profile).All()
	if err != nil || len(all[0].Sent) != sentIDs || all[0].Sent[sentIDs-1] != "new" {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestDamagedSubscriptionsAreSetAside(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("main")
	path := profile.Path("ntfy_subscriptions.json")
	for _, torn := range []string{`{"a": {`, `"a"`, `[7]`, `[{"label": "no topic"}]`} {
		storetest.Put(t, path, torn)
		if all, err := TopicsOf(profile).All(); err == nil {
			t.Errorf("%s reads as %+v", torn, all)
		}
	}
	total, err := TopicsOf(profile).Subscribe(Subscription{Topic: "a"})
	if !store.OnlyDamage(err) || total != 1 {
		t.Errorf("%d, %v", total, err)
	}
	if kept := storetest.Get(t, path+".damaged-20260214-123015"); kept != `[{"label": "no topic"}]` {
		t.Errorf("kept %q", kept)
	}
	storetest.Put(t, path, `{"a": {"label": "A"}, "b": 7}`)
	if all, err := TopicsOf(profile).All(); len(all) != 1 || err == nil || !strings.Contains(err.Error(), `"b"`) {
		t.Errorf("one bad topic: %+v, %v", all, err)
	}
}
