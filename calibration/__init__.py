"""Where the camera is: table sizes and markings, the camera model, and how it is found in a picture."""
