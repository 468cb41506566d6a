// Package travel tells how long a way takes and where it leads.
//
// Routes come from OSRM, whose times know no traffic. Traffic and weather are added
// by rule of thumb, and the answer says so. There are three servers: the one of the
// OSRM project knows cars only and would answer for a bicycle with a car's numbers.
package travel
