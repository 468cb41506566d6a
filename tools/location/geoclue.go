package location

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/godbus/dbus/v5"

	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/reason"
)

// D-Bus names that GeoClue uses: https://www.freedesktop.org/software/geoclue/docs/ref-dbus.html
const (
	geoClue         = "org.freedesktop.GeoClue2"
	geoClueManager  = geoClue + ".Manager"
	geoClueClient   = geoClue + ".Client"
	geoClueLocation = geoClue + ".Location"
	properties      = "org.freedesktop.DBus.Properties"

	systemBus = "unix:path=/run/dbus/system_bus_socket"
	desktopID = "marvin" // GeoClue requires a desktop ID
	exact     = uint32(8)
)

// fixTime is the timeout of [locateByGeoClue]. Without GPS, GeoClue uses nearby wireless networks.
// A successful search takes at most 3 s.
const fixTime = 8 * time.Second

// locateByGeoClue uses the location service over a single connection, because a client belongs to
// the connection that created it.
func locateByGeoClue(ctx context.Context, env tools.Env) (position, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, fixTime, fmt.Errorf("GeoClue found no position within %s", fixTime))
	defer cancel()
	address := cmp.Or(proc.Lookup(env.Environ, "DBUS_SYSTEM_BUS_ADDRESS"), systemBus)
	bus, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return position{}, fmt.Errorf("connect to the system bus: %w", reason.InWords(err))
	}
	defer bus.Close()
	found, err := askGeoClue(ctx, bus)
	if err != nil && ctx.Err() != nil { // the bus's error says only that the bus is closed
		err = context.Cause(ctx)
	}
	return found, err
}

func askGeoClue(ctx context.Context, bus *dbus.Conn) (position, error) {
	updates := make(chan *dbus.Signal, 8)
	bus.Signal(updates)
	var path dbus.ObjectPath
	manager := bus.Object(geoClue, "/org/freedesktop/GeoClue2/Manager")
	if err := manager.CallWithContext(ctx, geoClueManager+".GetClient", 0).Store(&path); err != nil {
		return position{}, fmt.Errorf("GeoClue: %w", err)
	}
	if err := bus.AddMatchSignalContext(ctx, dbus.WithMatchObjectPath(path), dbus.WithMatchInterface(geoClueClient)); err != nil {
		return position{}, fmt.Errorf("listen to GeoClue: %w", err)
	}
	client := bus.Object(geoClue, path)
	for name, value := range map[string]any{"DesktopId": desktopID, "RequestedAccuracyLevel": exact} {
		if err := client.CallWithContext(ctx, properties+".Set", 0, geoClueClient, name, dbus.MakeVariant(value)).Err; err != nil {
			return position{}, fmt.Errorf("GeoClue: %w", err)
		}
	}
	if err := client.CallWithContext(ctx, geoClueClient+".Start", 0).Err; err != nil {
		return position{}, fmt.Errorf("GeoClue: %w", err)
	}
	fix, err := awaitFix(ctx, path, updates)
	if err != nil {
		return position{}, err
	}
	return readFix(ctx, bus.Object(geoClue, fix))
}

func awaitFix(ctx context.Context, client dbus.ObjectPath, updates <-chan *dbus.Signal) (dbus.ObjectPath, error) {
	for {
		select {
		case update, open := <-updates:
			if !open {
				return "", errors.New("the system bus closed the connection")
			}
			var before, now dbus.ObjectPath
			if update.Path != client || update.Name != geoClueClient+".LocationUpdated" || dbus.Store(update.Body, &before, &now) != nil {
				continue
			}
			if now != "/" { // "/" means that there is no location
				return now, nil
			}
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

func readFix(ctx context.Context, fix dbus.BusObject) (position, error) {
	var values map[string]dbus.Variant
	if err := fix.CallWithContext(ctx, properties+".GetAll", 0, geoClueLocation).Store(&values); err != nil {
		return position{}, fmt.Errorf("GeoClue: %w", err)
	}
	lat, okLat := values["Latitude"].Value().(float64)
	lng, okLng := values["Longitude"].Value().(float64)
	if !okLat || !okLng {
		return position{}, errors.New("GeoClue gave a location without coordinates")
	}
	accuracy, _ := values["Accuracy"].Value().(float64)
	point, err := geo.NewPoint(lat, lng)
	return position{Point: point, source: "GeoClue (the system's location service)", accuracy: accuracy}, err
}
