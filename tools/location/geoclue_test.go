package location

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"marvin/tools/internal/toolstest"
)

// startBus starts a message bus of its own and returns its address.
func startBus(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("dbus-daemon is not installed, so GeoClue cannot be played")
	}
	dir, err := os.MkdirTemp("/tmp", "bus") // a socket's name has 107 bytes, with which a long TMPDIR is through
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "bus")
	daemon := exec.CommandContext(context.Background(), path, "--session", "--nofork", "--print-address=1", "--address=unix:path="+socket)
	stdout, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	})
	address, err := bufio.NewReader(stdout).ReadString('\n') // it listens once this is out
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// playedGeoClue is the service as https://www.freedesktop.org/software/geoclue/docs
// describes it: a client belongs to the connection that asked for it, and Start is
// refused to one without a DesktopId.
type playedGeoClue struct {
	bus       *dbus.Conn
	fix       map[string]dbus.Variant // nil: no position is ever found
	mu        sync.Mutex
	owner     dbus.Sender
	desktopID string
	accuracy  uint32
	started   int
}

func playGeoClue(t *testing.T, address string, fix map[string]dbus.Variant) *playedGeoClue {
	t.Helper()
	bus, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { bus.Close() })
	g := &playedGeoClue{bus: bus, fix: fix}
	for _, exported := range []error{
		bus.ExportMethodTable(map[string]any{"GetClient": g.getClient}, "/org/freedesktop/GeoClue2/Manager", geoClueManager),
		bus.ExportMethodTable(map[string]any{"Start": g.start}, "/client/1", geoClueClient),
		bus.ExportMethodTable(map[string]any{"Set": g.set}, "/client/1", properties),
		bus.ExportMethodTable(map[string]any{"GetAll": g.getAll}, "/location/7", properties),
	} {
		if exported != nil {
			t.Fatal(exported)
		}
	}
	if reply, err := bus.RequestName(geoClue, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	return g
}

var denied = dbus.NewError("org.freedesktop.DBus.Error.AccessDenied", []any{"'DesktopId' property must be set"})

func (g *playedGeoClue) getClient(sender dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.owner = sender
	return "/client/1", nil
}

func (g *playedGeoClue) set(sender dbus.Sender, _, name string, value dbus.Variant) *dbus.Error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if sender != g.owner {
		return denied
	}
	switch name {
	case "DesktopId":
		g.desktopID, _ = value.Value().(string)
	case "RequestedAccuracyLevel":
		g.accuracy, _ = value.Value().(uint32)
	}
	return nil
}

func (g *playedGeoClue) start(sender dbus.Sender) *dbus.Error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if sender != g.owner || g.desktopID == "" {
		return denied
	}
	g.started++
	none, found := dbus.ObjectPath("/"), dbus.ObjectPath("/location/7")
	_ = g.bus.Emit("/client/1", geoClueClient+".LocationUpdated", none, none)
	if g.fix != nil {
		_ = g.bus.Emit("/client/1", geoClueClient+".LocationUpdated", none, found)
	}
	return nil
}

func (g *playedGeoClue) getAll(_ string) (map[string]dbus.Variant, *dbus.Error) { return g.fix, nil }

func TestGeoClueOverOneConnection(t *testing.T) {
	address := startBus(t)
	geoclue := playGeoClue(t, address, map[string]dbus.Variant{
		"Latitude": dbus.MakeVariant(0.0), "Longitude": dbus.MakeVariant(-17.5), "Accuracy": dbus.MakeVariant(1200.0), "Description": dbus.MakeVariant(""),
	})
	world := newWorld(t, nil) // the network must not be asked
	world.env = toolstest.Env(t, "DBUS_SYSTEM_BUS_ADDRESS="+address)
	for range 2 {
		got, err := world.call("get_my_location", `{}`)
		if want := "Latitude: 0\nLongitude: -17.5\nSource: GeoClue (the system's location service)\nAccuracy: 1.2 km"; err != nil || got != want {
			t.Errorf("got %s, %v", got, err)
		}
	}
	geoclue.mu.Lock()
	defer geoclue.mu.Unlock()
	if geoclue.started != 1 || geoclue.desktopID != "marvin" || geoclue.accuracy != 8 {
		t.Errorf("asked %d times as %q with accuracy %d", geoclue.started, geoclue.desktopID, geoclue.accuracy)
	}
}

func TestGeoClueWithoutAnAnswerIsLeft(t *testing.T) {
	address := startBus(t)
	env := toolstest.Env(t, "DBUS_SYSTEM_BUS_ADDRESS="+address)
	_, err := locateByGeoClue(t.Context(), env)
	toolstest.CheckError(t, err, "GeoClue", "org.freedesktop.GeoClue2") // the bus name has no owner
	playGeoClue(t, address, nil)
	ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, context.DeadlineExceeded)
	defer cancel()
	_, err = locateByGeoClue(ctx, env)
	toolstest.CheckError(t, err, context.DeadlineExceeded.Error())
	_, err = locateByGeoClue(t.Context(), toolstest.Env(t, "DBUS_SYSTEM_BUS_ADDRESS=unix:path="+t.TempDir()+"/none"))
	toolstest.CheckError(t, err, "connect to the system bus")
}
