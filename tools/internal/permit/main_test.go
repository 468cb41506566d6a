package permit

import (
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // memory is there, time is not: all tests take 7 s of processor time, not 10
	m.Run()
}
