package location

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/show"
)

// coreLocation is a Swift program that prints the latitude, longitude and accuracy of the first
// position. macOS asks the user whether the terminal may read the position.
const coreLocation = `import CoreLocation
import Foundation
final class Finder: NSObject, CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    guard let last = found.last else { return }
    print(last.coordinate.latitude, last.coordinate.longitude, last.horizontalAccuracy)
    exit(0)
  }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    FileHandle.standardError.write(Data(error.localizedDescription.utf8))
    exit(1)
  }
}
let finder = Finder()
let manager = CLLocationManager()
manager.delegate = finder
manager.startUpdatingLocation()
RunLoop.main.run()
`

// swiftTime is the timeout for the Swift program, including its compilation (about 2 s).
const swiftTime = 10 * time.Second

func locateByCoreLocation(ctx context.Context, env tools.Env) (position, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, swiftTime, fmt.Errorf("CoreLocation found no position within %s", swiftTime))
	defer cancel()
	result, err := proc.Run(ctx, proc.Command{
		Name: "swift", Args: []string{"-e", coreLocation}, Dir: "/", Environ: env.Environ, Limit: 8 << 10,
	})
	switch {
	case errors.Is(err, proc.ErrNotFound):
		return position{}, errors.New("CoreLocation needs swift (xcode-select --install)")
	case err != nil:
		return position{}, fmt.Errorf("CoreLocation: %w", err)
	case result.ExitCode != 0:
		return position{}, fmt.Errorf("CoreLocation: %s", show.Line(result.Stderr.Text(), 200))
	}
	var lat, lng, accuracy float64
	if _, err := fmt.Sscan(strings.TrimSpace(result.Stdout.Text()), &lat, &lng, &accuracy); err != nil {
		return position{}, fmt.Errorf("CoreLocation answered %q", show.Line(result.Stdout.Text(), 100))
	}
	point, err := geo.NewPoint(lat, lng)
	return position{Point: point, source: "CoreLocation (macOS)", accuracy: max(0, accuracy)}, err
}
