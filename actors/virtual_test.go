package actors_test

import (
	"testing"
	"testing/synctest"
	"time"
)

// virtually runs a test in virtual time. Mail to an ended actor makes protoactor keep a goroutine
// for a second; the test waits for it at the end, because no goroutine may be left.
func virtually(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // virtual time, after all other cleanups
		test(t)
	})
}
