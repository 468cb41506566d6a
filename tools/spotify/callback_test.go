package spotify

import (
	"net"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// A new login ends an earlier one that still waits, so that its port is free again.
func TestALoginEndsTheOneThatWaits(t *testing.T) {
	service := New(toolstest.Client(t, nil), persistence.Open(t.TempDir(), time.Now))
	service.listen = "127.0.0.1:0"
	waits := func(address string) bool {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			_ = connection.Close()
		}
		return err == nil
	}
	var addresses []string
	for range 3 {
		if err := service.hear(t.Context(), tools.Env{}); err != nil {
			t.Fatal(err)
		}
		addresses = append(addresses, service.waiting.address)
	}
	for i, address := range addresses {
		if waits(address) != (i == 2) {
			t.Errorf("login %d waits at its address: %t", i+1, i != 2)
		}
	}
	service.Close()
	service.Close()
	if waits(addresses[2]) || service.waiting != nil {
		t.Error("the last one waits although it was ended")
	}
	service.listen = "127.0.0.1:no"
	if err := service.hear(t.Context(), tools.Env{}); err == nil || service.waiting != nil {
		t.Errorf("an address that is none: %v", err)
	}
}
