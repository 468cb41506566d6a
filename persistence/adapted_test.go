package persistence

import (
	"testing"
	"time"

	"marvin/persistence/internal/storetest"
)

// The next process uses the stored changes of a host's requests for a day. A damaged file causes no
// error.
func TestChangedRequestsAreKeptForADay(t *testing.T) {
	t.Parallel()
	clock := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	home := Open(t.TempDir(), func() time.Time { return clock })
	kept := Adapted{home}
	kept.Keep("a", []byte(`{"v1":true}`))
	clock = clock.Add(23 * time.Hour)
	kept.Keep("b", []byte(`{"most":3}`))
	if a, b := string(kept.Get("a")), string(kept.Get("b")); a != `{"v1":true}` || b != `{"most":3}` || kept.Get("c") != nil {
		t.Errorf("%s, %s", a, b)
	}
	clock = clock.Add(2 * time.Hour)
	if a, b := kept.Get("a"), string(kept.Get("b")); a != nil || b != `{"most":3}` {
		t.Errorf("a day later: %s, %s", a, b)
	}
	storetest.Put(t, home.Path("requests.read"), "nonsense")
	if kept.Get("b") != nil {
		t.Error("a damaged file counts")
	}
	Adapted{Open("", nil)}.Keep("a", []byte("{}"))
}
